/** The commands of the extension. Each takes a row of a view, or asks where it was called by its name. */
import { errorMessage, writeFileAtomically } from '@switchboard/base'
import { createTraceId } from '@switchboard/protocol'
import { logFileName } from '@switchboard/telemetry'
import * as vscode from 'vscode'
import { offerRemoval } from './static/offer-removal.ts'
import type { ViewRow } from './views/row.ts'
import type { WindowSession } from './window-session.ts'

type Run = (session: WindowSession, subject: string | undefined) => Promise<void> | void

const EMPTY_CONFIGURATION = '{\n  "mcpServers": {}\n}\n'

const COMMANDS: Readonly<Record<string, Run>> = {
  chooseMode: (session) => chooseMode(session),
  setMode: (session, mode) => chooseMode(session, mode),
  clearMode: async (session) => {
    await session.mode.choose(undefined, createTraceId())
  },
  copyInstanceId: async ({ instance }) => {
    await vscode.env.clipboard.writeText(instance)
  },
  startDaemon: ({ link }) => link.startDaemon(),
  restartDaemon: ({ link }) => link.restartDaemon(),
  restartServer,
  showServerLog: async (session, server) => {
    const name = server ?? (await pickServer(session, 'Whose log?'))
    if (name !== undefined)
      await session.documents.showLogs(logFileName({ runtime: 'server', name }).replace(/\.log$/, ''))
  },
  showTrace: async ({ documents }, traceId) => {
    const prompt = 'The id of a trace, or how it begins: errors name it'
    const id = traceId ?? (await vscode.window.showInputBox({ prompt }))
    if (id !== undefined && id !== '') await documents.showTrace(id)
  },
  showLogs: ({ documents }) => documents.showLogs(),
  refresh: (session) => session.refresh(),
  openConfiguration: async ({ home }) => {
    await writeFileAtomically(home.configFile, EMPTY_CONFIGURATION, { keepExisting: true })
    await vscode.window.showTextDocument(vscode.Uri.file(home.configFile))
  },
  clearAgentBreakpoints: ({ debugger: debuggerOfAgents }) => {
    const count = debuggerOfAgents.breakpoints.clear()
    const what = count === 1 ? 'One breakpoint of an agent was' : `${count} breakpoints of agents were`
    void vscode.window.showInformationMessage(`${what} removed. Yours are as they were.`)
  },
  findStaticEntries: async (session) => {
    const entries = await session.findStaticEntries()
    if (entries.length > 0) await offerRemoval(entries, session.log)
    else void vscode.window.showInformationMessage('No static entry leads to Switchboard: the extension alone does.')
  },
}

export function registerCommands(session: WindowSession): vscode.Disposable {
  const registered = Object.entries(COMMANDS).map(([name, run]) =>
    vscode.commands.registerCommand(`switchboard.${name}`, async (argument?: ViewRow | string) => {
      const subject = typeof argument === 'string' ? argument : argument?.subject
      try {
        await run(session, subject)
      } catch (error) {
        session.log.warn('ext.command', `${name} failed: ${errorMessage(error)}`)
        void vscode.window.showErrorMessage(errorMessage(error))
      }
    }),
  )
  return vscode.Disposable.from(...registered)
}

async function chooseMode({ link, mode }: WindowSession, wanted?: string): Promise<void> {
  const modes = link.state.kind === 'connected' ? link.state.status.modes : []
  if (wanted !== undefined) {
    // Of a view that was drawn before the configuration changed, or of a key binding.
    if (!modes.some(({ name }) => name === wanted)) throw new Error(`No mode "${wanted}" is configured.`)
    await mode.choose(wanted, createTraceId())
    return
  }
  if (modes.length === 0) throw new Error('No modes are configured, so nothing is asked of agents.')
  const now = mode.mode
  const items = modes.map(({ name, description }) => ({ label: name, description, picked: name === now }))
  const none = { label: 'No mode', description: 'its agent has to declare one again', picked: now === undefined }
  const picked = await vscode.window.showQuickPick([...items, none], { placeHolder: 'The mode of this window' })
  if (picked !== undefined) await mode.choose(picked === none ? undefined : picked.label, createTraceId())
}

async function restartServer(session: WindowSession, named: string | undefined): Promise<void> {
  const server = named ?? (await pickServer(session, 'Which server?'))
  if (server === undefined) return
  const traceId = createTraceId()
  session.log.child({ traceId }).info('ext.command', `restarting ${server}`)
  await session.link.request('restart_server', { server }, traceId)
}

async function pickServer({ link }: WindowSession, placeHolder: string): Promise<string | undefined> {
  const servers = link.state.kind === 'connected' ? link.state.status.servers : []
  const items = servers.map(({ name, state }) => ({ label: name, description: state }))
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.label
}
