export { pack } from './pack.ts'
export type {
  DaemonSummary,
  DeclaredMode,
  ModeRules,
  ModeSummary,
  ModesService,
  PackSummary,
  ProviderScope,
  ServerSummary,
  StoreSummary,
  SwitchboardServices,
} from './services.ts'
