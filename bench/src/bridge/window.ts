/** The window's side in a process of its own, as an extension host is one; VS Code itself does nothing in a trivial command. */
import { BridgeHost } from '@switchboard/bridge'

const [workspace = ''] = process.argv.slice(2)
const host = new BridgeHost({
  workspace,
  instance: 'bnch-000000',
  scripts: { echo: async (params) => params },
  onDidChange: ({ kind }) => console.log(kind),
})
host.start()
process.stdin.resume().once('end', () => {
  host.close()
  process.exit(0)
})
