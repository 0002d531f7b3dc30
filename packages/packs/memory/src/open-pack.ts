/** The memory pack as a provider. */
import { errorMessage } from '@switchboard/base'
import type { JsonObject } from '@switchboard/protocol'
import { createPack, type PackContext, type PackInstance, type PackServices } from '@switchboard/toolkit'
import type { Config } from './config.ts'
import { CallCounts } from './counts/call-counts.ts'
import type { PatternMatcher } from './diagnosis/match-patterns.ts'
import { PatternCounts } from './diagnosis/pattern-counts.ts'
import { manifest } from './generated/manifest.ts'
import { tools } from './generated/tools.ts'
import { guardTools } from './guard-tools.ts'
import type { Host } from './host.ts'
import { createPersonCommands } from './people/create-person-commands.ts'
import { recallRemediation } from './remediations/recall-remediation.ts'
import { RemediationSaver } from './remediations/save-remediation.ts'
import { Indexer } from './repository/indexer.ts'
import { Retention } from './retention.ts'
import { Finder } from './search/finder.ts'
import { Meaning } from './search/meaning.ts'
import { createSkillExtras } from './skills/skill-extras.ts'
import { SkillShelf } from './skills/skill-shelf.ts'

/** Every agent gets it at its start. */
const INSTRUCTIONS =
  'What earlier sessions found out is kept. At the start of a task ask checkpoint_resume where it stood; when an ' +
  'error is met, remediation_search before you look into it; when it is solved, remediation_save; before you stop, checkpoint_save.'

export interface OpenPackOptions {
  /** For tests: an author's mistake is thrown. */
  readonly strict?: boolean
}

let matcher: Promise<PatternMatcher> | undefined

function loadMatcher(): Promise<PatternMatcher> {
  matcher ??= Promise.all([import('./diagnosis/match-patterns.ts'), import('./diagnosis/patterns/index.ts')]).then(
    ([{ PatternMatcher: Matcher }, { PATTERNS }]) => new Matcher(PATTERNS),
  )
  return matcher
}

export function openPack(
  { log, clock, store, services, folders }: PackContext<PackServices>,
  config: Config,
  { strict = false }: OpenPackOptions = {},
): PackInstance {
  const openSpace = (name: string) => store.space(name)
  const { encoder } = config
  const meaning =
    encoder === undefined
      ? undefined
      : new Meaning({ config: encoder, openSpace, cacheFolder: folders.cache, clock, log })
  meaning?.start()
  const space: Host['space'] = (name) => meaning?.space(name) ?? openSpace(name)
  const skills = new SkillShelf(() => space('skills'), clock)
  const finder = new Finder(meaning)
  const remediations = new RemediationSaver(finder, () => space('remediations'))
  const indexer = new Indexer(space, clock)
  const patternCounts = new PatternCounts(
    () => openSpace('patterns'),
    () => clock.wallTime(),
  )
  const counts = new CallCounts(() => openSpace('counts'), clock, log)
  const retention = new Retention({ days: config.retention, space, isEmpty: () => store.isEmpty(), clock, log })
  const host: Host = {
    ...{ clock, config, services, finder, meaning, counts, indexer, skills, remediations, patternCounts },
    loadMatcher,
    space,
    openedAt: clock.now(),
    describeStore: () => store.describe(),
  }
  retention.start()
  // Nobody waits for it: who lists prompts before they are read is told when they are there. A store that holds nothing stays closed.
  if (!store.isEmpty()) {
    skills.load().catch((error: unknown) => {
      log.warn('memory.skills', `skills cannot be listed yet: ${errorMessage(error)}`)
    })
  }
  const provider = createPack<Host>({
    name: 'memory',
    manifest,
    tools: guardTools(tools, manifest.tools),
    host,
    log,
    clock,
    strict,
    extras: createSkillExtras(skills),
    listing: { instructions: INSTRUCTIONS },
    // Every agent pays for the list.
    outputSchemas: false,
    details: () => describeState(config, meaning),
  })
  return {
    provider,
    commands: createPersonCommands(host),
    metrics: () => meaning?.metrics.collect() ?? [],
    release: (owner) => provider.release(owner),
    ...(config.seenBefore
      ? // A store that holds nothing stays closed.
        { recall: async (error, caller) => (store.isEmpty() ? undefined : recallRemediation(host, error, caller)) }
      : {}),
    async close() {
      await Promise.all([skills.settle(), indexer.close(), retention.close(), counts.close()])
      await meaning?.close()
    },
  }
}

/** What `switchboard status` tells besides what is stored. */
function describeState({ retention }: Config, meaning: Meaning | undefined): JsonObject {
  const { place, model, problem } = meaning?.status() ?? {}
  const encoder = {
    ...(model === undefined ? {} : { model }),
    ...(problem === undefined ? {} : { problem }),
    place: place ?? '',
  }
  return { retentionDays: retention, ...(meaning === undefined ? {} : { encoder }) }
}
