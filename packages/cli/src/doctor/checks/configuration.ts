import { SwitchboardError } from '@switchboard/protocol'
import { formatCount } from '../../terminal/format.ts'
import type { DoctorContext } from '../doctor-context.ts'
import { error, type Finding, ok } from '../finding.ts'

export async function checkConfiguration(context: DoctorContext): Promise<Finding[]> {
  const { configFile } = context.home
  const config = await context.configuration()
  if (config === undefined) {
    return [ok(`there is no ${configFile} yet; switchboard server add makes it`)]
  }
  if (config instanceof SwitchboardError) {
    const { state } = await context.daemon()
    const goesOn = state === 'running' ? ' The daemon goes on with the one before.' : ''
    const lines = config.message.split('\n')
    return lines.map((line) => error(line, `${config.hint || 'Correct it and save the file.'}${goesOn}`))
  }
  const off = config.servers.filter(({ enabled }) => !enabled).length
  const disabled = off === 0 ? '' : `, ${off} of them disabled`
  return [ok(`${configFile}: ${formatCount(config.servers.length, 'server')}${disabled}`)]
}
