/**
 * What is right by its form and leads nowhere: names in profiles that nobody has. It is told and not refused, because whom
 * it names may come later; a profile with a typing mistake silently shows less than was meant.
 */
import { nearestName } from '@switchboard/base'
import { formatKeyPath } from '@switchboard/config'
import type { ProfileConfig } from '@switchboard/gateway/config'
import type { SwitchboardConfig } from './switchboard-file.ts'

export interface KnownTools {
  /** Exposed names. */
  readonly names: readonly string[]
  /** Whether somebody of whom nothing is known yet may have it. */
  mayBe(name: string): boolean
}

type Configured = Pick<SwitchboardConfig, 'profiles' | 'servers' | 'misconfigured'>

/** `packs`: their names as providers. `tools`: absent where nothing runs, and then nothing is said of them. */
export function findDoubts(config: Configured, packs: readonly string[], tools?: KnownTools): string[] {
  const providers = [...config.servers, ...config.misconfigured].map(({ name }) => name).concat(packs)
  return Object.entries(config.profiles).flatMap(([name, profile]) => [
    ...findUnknown(name, 'providers', profile.providers ?? [], providers, 'no server or pack is named'),
    ...(tools === undefined ? [] : findUnknownTools(name, profile, tools)),
  ])
}

function findUnknownTools(profile: string, { pinned, tools: { allow } }: ProfileConfig, tools: KnownTools): string[] {
  const isDoubtful = (tool: string): boolean => !/[*?]/.test(tool) && !tools.mayBe(tool)
  const find = (key: string, names: readonly string[]): string[] =>
    findUnknown(profile, key, names.filter(isDoubtful), tools.names, 'no tool is named')
  return [...find('pinned', pinned), ...find('tools.allow', allow)]
}

function findUnknown(
  profile: string,
  key: string,
  names: readonly string[],
  known: readonly string[],
  problem: string,
): string[] {
  return names.flatMap((name) => {
    if (known.includes(name)) return []
    const nearest = nearestName(name, known)
    const question = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
    return [`${formatKeyPath(['profiles', profile, ...key.split('.')])}: ${problem} "${name}".${question}`]
  })
}
