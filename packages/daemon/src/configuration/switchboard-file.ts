/** The whole configuration file: the sections of all who declare one, and the packs that there are. */
import { nearestName } from '@switchboard/base'
import { findEntry, packsField, section } from '@switchboard/config'
import { createConfigFile } from '@switchboard/config/file'
import { gatewaySection } from '@switchboard/gateway/config'
import { poolSection } from '@switchboard/pool/config'
import { CONFIGURABLE_PACKS } from '../packs/packs.ts'
import { daemonSection } from './daemon-section.ts'
import { telemetrySection } from './telemetry-section.ts'

const packsSection = section({ fields: { packs: packsField(CONFIGURABLE_PACKS) } })

export const switchboardFile = createConfigFile({
  title: 'Switchboard configuration',
  description: 'The MCP servers that Switchboard runs. Comments and trailing commas are allowed.',
  sections: [poolSection, gatewaySection, daemonSection, telemetrySection, packsSection],
  check: ({ gateway: { modeForHttp }, modes }, { root, context }) => {
    if (modeForHttp === undefined || Object.hasOwn(modes, modeForHttp)) return
    const names = Object.keys(modes)
    context.problems.report({
      path: ['gateway', 'modeForHttp'],
      offset: findEntry(findEntry(root, 'gateway')?.node, 'modeForHttp')?.node.offset,
      problem: `there is no mode "${modeForHttp}"`,
      expected: names.length === 0 ? 'a mode of "modes"; there is none' : `one of "modes": ${names.join(', ')}`,
      seen: JSON.stringify(modeForHttp),
      nearest: nearestName(modeForHttp, names),
    })
  },
})

type Checked = ReturnType<typeof switchboardFile.check>
type Written = Parameters<typeof switchboardFile.check>[0]

/** What everything works with. */
export interface SwitchboardConfig extends Checked {}

/** What a person writes. */
export interface SwitchboardInput extends Written {}
