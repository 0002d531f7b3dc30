/**
 * A file that a repository, an agent or a client's configuration names is opened by `base/src/foreign-file.ts` and written by
 * `base/src/foreign-draft.ts` or `writeFileAtomically` alone: they wait for no pipe, read no device and follow no link
 * out. Whoever opens one by `node:fs` has a place below, and the reason why its name is nobody else's.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { listSources, listWorkspacePackages, root, toRelative } from './workspace.ts'

const HOME = 'its path is one of our home, which is 0700'
const KERNEL = 'it is a table of the kernel, of which nobody else makes the name'
const CLONE = 'it runs in a clone of this repository, on its own sources'
const HELPER = 'it is the helper itself'

const ALLOWED: Readonly<Record<string, string>> = {
  'packages/base/src/file-handles.ts': KERNEL,
  'packages/base/src/foreign-file.ts': HELPER,
  'packages/base/src/foreign-draft.ts': HELPER,
  'packages/base/src/atomic-file.ts': HELPER,
  'packages/base/src/file-lock.ts': HOME,
  'packages/bridge/src/bridge-client.ts':
    'it writes into a folder that it has just made, exclusively, in one of the window',
  'packages/bridge/src/message-file.ts': 'it follows no link, and its folder is that of a job that was just made',
  'packages/bridge/src/write-exclusively.ts': 'every file that it opens is new, in a folder that is no link',
  'packages/cli/src/call/print-result.ts': 'a person names the file of --output, and sees it',
  'packages/cli/src/daemon-process/process-identity.ts': KERNEL,
  'packages/cli/src/daemon-process/spawn-daemon.ts': HOME,
  'packages/cli/src/daemon-process/start-flight.ts': HOME,
  'packages/cli/src/dev/scaffold-in-clone.ts': CLONE,
  'packages/cli/src/doctor/find-port-holder.ts': KERNEL,
  'packages/cli/src/memory/edit-text.ts':
    'its folder is our own, made for the user alone; a person names the file of --file',
  'packages/cli/src/memory/lines-out.ts': 'a person names the file of an export, and sees it',
  'packages/cli/src/memory/transfer.ts': 'a person names the file of an import, and sees it',
  'packages/cli/src/program/command-form.ts': 'its folders are those from which the person runs programs by name',
  'packages/daemon/src/dashboard/dashboard-page.ts': 'its file is beside our program, and of our own package',
  'packages/daemon/src/ipc/ipc-token.ts': HOME,
  'packages/daemon/src/lock/info-file.ts': HOME,
  'packages/daemon/src/store/home-store.ts': HOME,
  'packages/daemon/src/trust/trust-files.ts': HOME,
  'packages/gateway/src/access/socket-table.ts': KERNEL,
  'packages/packs/debug/src/dap/engines/lldb-input.ts': 'its folder is our own, made for the user alone',
  'packages/packs/debug/src/dap/engines/lldb-quick-start.ts': 'its folder is our own, made for the user alone',
  'packages/packs/debug/src/dap/engines/python-boot.ts': 'its folder is our own, made for the user alone',
  'packages/packs/debug/src/inspector/rendezvous.ts': 'its folder is our own, made for the user alone',
  'packages/packs/memory/src/encoders/vector-cache.ts': HOME,
  'packages/pool/src/cache/catalog-cache.ts': HOME,
  'packages/process/src/owned-processes.ts': KERNEL,
  'packages/process/src/process-marks.ts': KERNEL,
  'packages/process/src/process-table.ts': KERNEL,
  'packages/source/src/syntax/syntax.ts': 'its files are grammars of our own package, or beside our program',
  'packages/store/src/postgres/postgres-store.ts': 'a person names the file of a backup, and sees it',
  'packages/store/src/sqlite/sqlite-store.ts': HOME,
  'packages/store/src/sqlite/thread/open-file.ts': HOME,
  'packages/store/src/tables/tables-database.ts': HOME,
  'packages/store/src/tables/tables-lock.ts': HOME,
  'packages/telemetry/src/append/append-file.ts': HOME,
  'packages/telemetry/src/append/rotated-file.ts': HOME,
  'packages/telemetry/src/audit/read-audit.ts': HOME,
  'packages/telemetry/src/reading/log-files.ts': HOME,
  'packages/toolkit/src/generate/read-pack.ts': CLONE,
  'packages/toolkit/src/generate/register-pack.ts': CLONE,
  'packages/vscode/src/bridge/debug/exit-note.ts': 'its folder is our own, made for the user alone',
}

const OPENS_BY_NAME =
  /^(?:open|openSync|openAsBlob|(?:read|write|append|copy)File(?:Sync)?|cp|cpSync|create(?:Read|Write)Stream|default|promises)$/
/** Not part of what runs on a person's machine. */
const APART = ['@switchboard/testkit', '@switchboard/bench']

function listOpeners(path: string): string[] {
  const { module } = parseSync(path, readFileSync(path, 'utf8'))
  const fromSystem = module.staticImports.filter(({ moduleRequest }) =>
    /^(?:node:)?fs(?:\/promises)?$/.test(moduleRequest.value),
  )
  return fromSystem.flatMap(({ entries }) =>
    entries.flatMap(({ importName, isType }) => {
      if (isType) return []
      const name = importName.kind === 'Name' ? (importName.name ?? '') : 'default'
      return OPENS_BY_NAME.test(name) ? [name] : []
    }),
  )
}

test('only named places open files by the names that others gave them', () => {
  const found = listWorkspacePackages()
    .filter(({ manifest }) => !APART.includes(manifest.name))
    .flatMap(({ directory }) => listSources(join(directory, 'src')))
    .filter((path) => listOpeners(path).length > 0)
    .map(toRelative)
  expect(found.filter((file) => ALLOWED[file] === undefined)).toEqual([])
  // One that opens nothing any more leaves its place.
  expect(Object.keys(ALLOWED).filter((file) => !found.includes(file))).toEqual([])
})

test('the test itself sees what it looks for', () => {
  expect(listOpeners(join(root, 'packages/process/src/process-table.ts'))).toEqual(['readFileSync'])
})
