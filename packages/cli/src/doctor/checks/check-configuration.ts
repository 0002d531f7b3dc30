import { chmod, realpath, stat } from 'node:fs/promises'
import { readForeignBytes } from '@switchboard/base'
import type { SwitchboardConfig } from '@switchboard/daemon/configuration'
import { SwitchboardError, toSwitchboardError } from '@switchboard/protocol/errors'
import { MAX_CONFIG_BYTES } from '../../config/change-config.ts'
import { describeProfileDoubt } from '../../config/describe-profile-doubt.ts'
import { findWrittenSecrets } from '../../config/find-written-secrets.ts'
import { formatCount } from '../../terminal/format.ts'
import type { DoctorContext } from '../doctor-context.ts'
import { error, type Finding, ok, warn } from '../finding.ts'
import type { DaemonLook } from '../look-at-daemon.ts'

const OTHERS = 0o077

export async function checkConfiguration(context: DoctorContext): Promise<Finding[]> {
  return [...(await checkContent(context)), ...(await checkReaders(context))]
}

/** Wherever it lies and whatever links lead to it: what counts is the file. Windows has no such modes. */
async function checkReaders({ home, machine }: DoctorContext): Promise<Finding[]> {
  const { configFile } = home
  const file = await realpath(configFile).catch(() => undefined)
  if (file === undefined || machine.platform === 'win32') return []
  const mode = (await stat(file)).mode & 0o777
  if ((mode & OTHERS) === 0) return []
  const text = await readForeignBytes(file, { maxBytes: MAX_CONFIG_BYTES }).then(String, () => undefined)
  const [first, ...more] = (text === undefined ? undefined : findWrittenSecrets(text, configFile)) ?? ['it']
  const readers = `others may read ${configFile} (mode ${mode.toString(8)})`
  const fix = async (): Promise<string> => {
    await chmod(file, 0o600)
    return `${configFile} is for you alone now (mode 600)`
  }
  if (first === undefined) return [warn(readers, `chmod 600 ${file}`, fix)]
  const which =
    first === 'it'
      ? 'it may hold secrets'
      : `${first}${more.length === 0 ? ' is a secret' : ` and ${more.length} more are secrets`}`
  return [error(`${readers}, and ${which}`, `chmod 600 ${file}; better, keep secrets in variables: "\${NAME}".`, fix)]
}

async function checkContent(context: DoctorContext): Promise<Finding[]> {
  const { configFile } = context.home
  const look = await context.daemon()
  if (look.state === 'running') {
    const { configuration, daemon } = look.status
    if (daemon.config_file !== configFile) {
      const told = `the daemon runs another file, ${daemon.config_file}, and not ${configFile}`
      return [warn(told, `switchboard restart --config ${configFile}, or leave --config out.`)]
    }
    // What the daemon thinks counts: it has its own environment, and may have refused what reads well here.
    if (configuration.state === 'refused') return describeRefusal(configuration.error, true)
  }
  const config = await context.configuration()
  if (config === undefined) {
    return [ok(`there is no ${configFile} yet; switchboard server add makes it`)]
  }
  if (config instanceof SwitchboardError) return describeRefusal(config, look.state === 'running')
  const { servers, misconfigured } = config
  const off = servers.filter(({ enabled }) => !enabled).length
  const disabled = off === 0 ? '' : `, ${off} of them disabled`
  const wrong = new Set(misconfigured.map(({ name }) => name)).size
  const told = ok(`${configFile}: ${formatCount(servers.length + wrong, 'server')}${disabled}`)
  return [told, ...(await describeDoubts(look, config)), ...(await describeTokens(context, config))]
}

async function describeTokens({ home }: DoctorContext, config: SwitchboardConfig): Promise<Finding[]> {
  const [{ TokenStore }, { listProfileNames }] = await Promise.all([
    import('@switchboard/gateway'),
    import('@switchboard/daemon'),
  ])
  const known = listProfileNames(config)
  const tokens = await new TokenStore(home.tokens).list().catch(toSwitchboardError)
  if (tokens instanceof SwitchboardError) return [warn(`no token is accepted: ${tokens.message}`, tokens.hint)]
  return tokens.flatMap(({ name, profile }) => {
    const doubt = describeProfileDoubt(profile, known)
    if (doubt === undefined) return []
    return [warn(`the token ${name}: ${doubt}`, `switchboard token revoke ${name}, or add the profile.`)]
  })
}

/** Names that nobody has. */
async function describeDoubts(look: DaemonLook, config: SwitchboardConfig): Promise<Finding[]> {
  const running = look.state === 'running' ? look.status : undefined
  const { findDoubts, LISTED_PACKS } = await import('@switchboard/daemon')
  const doubts =
    running?.configuration.state === 'ok' ? (running.configuration.doubts ?? []) : findDoubts(config, LISTED_PACKS)
  return doubts.map((doubt) => warn(doubt, 'Correct it, or add what it names; nothing is shown for it until then.'))
}

function describeRefusal({ message, hint }: Pick<SwitchboardError, 'message' | 'hint'>, isRunning: boolean): Finding[] {
  const goesOn = isRunning ? ' The daemon goes on with the one before.' : ''
  return message.split('\n').map((line) => error(line, `${hint || 'Correct it and save the file.'}${goesOn}`))
}
