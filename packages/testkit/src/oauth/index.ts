export type { AuthorizationOptions, ProtectedOptions } from './options.ts'
export { type OAuthProgram, startAuthorizationServer, startProtectedServer } from './start-programs.ts'
export { type VisitedPage, visitPage, writeBrowser } from './visit-page.ts'
