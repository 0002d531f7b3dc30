import { expect, test } from 'vitest'
import { isDaemonCommand, isDaemonProcess, isRunning } from '../../src/daemon-process/process-identity.ts'

test.each([
  ['/usr/bin/node\0/opt/switchboard/dist/switchboard.mjs\0daemon\0--home\0/home/ada/.switchboard\0', true],
  ['/usr/bin/node --conditions=x /opt/cli/src/main.ts daemon --home /x', true],
  ['"C:\\node.exe" "C:\\cli\\bin\\switchboard.mjs" up --foreground', true],
  ['/usr/bin/switchboard up -f', true],
  ['/usr/bin/node /opt/switchboard.mjs mcp --profile daemonless', false],
  ['/usr/bin/node /opt/switchboard.mjs status', false],
  ['/usr/sbin/other daemon', false],
  ['/usr/bin/daemon /var/switchboard/data', false],
  ['vim switchboard.mjs.txt daemon', false],
  ['', false],
])('%j is a daemon of ours: %s', (commandLine, isOurs) => {
  expect(isDaemonCommand(commandLine)).toBe(isOurs)
})

test('this test runs, and is no daemon; nobody has the highest number', async () => {
  expect(await isRunning(process.pid)).toBe(true)
  expect(await isDaemonProcess(process.pid)).toBe(false)
  expect(await isRunning(2 ** 31 - 1)).toBe(false)
})
