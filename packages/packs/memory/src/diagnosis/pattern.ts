/** What is known of one kind of error: how it is recognised, why it happens, what to do, and how to see that it helped. */
import type { Severity } from '../remediations/remediation.ts'

const CATEGORIES = [
  'configuration',
  'resource',
  'dependency',
  'permission',
  'logic',
  'network',
  'storage',
  'general',
] as const
export type Category = (typeof CATEGORIES)[number]

export type Platform = 'linux' | 'macos' | 'windows'
type Commands = readonly string[] | Readonly<Record<Platform, readonly string[]>>

export interface Step {
  readonly what: string
  /** Where platforms differ, for each of them. In angle brackets stands what only the reader knows. */
  readonly commands: Commands
}

export interface Pattern {
  /** Small letters and hyphens, for good: counts are kept by it. */
  readonly id: string
  readonly title: string
  /** Any of them in a text means this error. Linear: texts come from anywhere. */
  readonly signs: readonly RegExp[]
  /** Its signs are those of more special ones as well, which come first. */
  readonly isBroad?: boolean
  /** Words by which it is found where no sign is there. */
  readonly words: string
  readonly category: Category
  readonly severity: Severity
  readonly cause: string
  readonly steps: readonly Step[]
  /** How to see whether it is this, and whether it helped. */
  readonly verify: readonly string[]
  readonly tags: readonly string[]
}

export function step(what: string, ...commands: readonly string[]): Step {
  return { what, commands }
}

/** A step whose commands differ. Without one for macOS that of Linux does. */
export function stepBy(
  what: string,
  { linux, macos = linux, windows }: { readonly linux: string; readonly macos?: string; readonly windows: string },
): Step {
  return { what, commands: { linux: [linux], macos: [macos], windows: [windows] } }
}

export function commandsFor({ commands }: Step, platform: Platform): readonly string[] {
  return 'linux' in commands ? commands[platform] : commands
}

export function currentPlatform(): Platform {
  if (process.platform === 'win32') return 'windows'
  return process.platform === 'darwin' ? 'macos' : 'linux'
}
