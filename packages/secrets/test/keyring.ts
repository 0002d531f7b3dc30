/** A GNOME Keyring of the test's own, on a bus of its own: the person's is never touched. */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createTemporaryDirectory, waitFor, watchProgram } from '@switchboard/testkit'

export const KEYRING_MISSING =
  'secret-tool or GNOME Keyring is missing; on Debian: sudo apt-get install libsecret-tools gnome-keyring dbus'

export function hasKeyring(): boolean {
  return ['secret-tool', 'gnome-keyring-daemon', 'dbus-daemon'].every((name) => existsSync(`/usr/bin/${name}`))
}

export interface Keyring extends AsyncDisposable {
  /** With which the keyring is found, and nothing of the machine's. */
  readonly env: Readonly<Record<string, string>>
  /** As at the next login of a person who has not typed a password yet. */
  lock(): Promise<void>
  unlock(): Promise<void>
}

export async function startKeyring(): Promise<Keyring> {
  const home = await createTemporaryDirectory('switchboard-keyring-')
  await mkdir(home.file('run'), { mode: 0o700 })
  const places = { HOME: home.path, XDG_DATA_HOME: home.file('data'), XDG_RUNTIME_DIR: home.file('run') }
  const own = { PATH: process.env.PATH ?? '', ...places }
  const bus = start('dbus-daemon', ['--session', '--nofork', '--print-address'], own)
  const address = await bus.waitForLine((line) => (line.startsWith('unix:') ? line : undefined))
  const env = { ...own, DBUS_SESSION_BUS_ADDRESS: address }
  let daemon: ReturnType<typeof start> | undefined

  const stop = async (): Promise<void> => {
    daemon?.child.kill()
    await daemon?.ended
    daemon = undefined
  }
  const run = async (...args: string[]): Promise<void> => {
    await stop()
    daemon = start('gnome-keyring-daemon', ['--foreground', '--components=secrets', ...args], env)
    // It makes its keyring with the first password that it is given.
    daemon.child.stdin?.end(args.includes('--unlock') ? 'password\n' : '')
    await waitFor(() => isOnBus(env), { what: 'the keyring on its bus', timeout: 30_000 })
  }
  await run('--unlock')
  return {
    env,
    lock: () => run(),
    unlock: () => run('--unlock'),
    async [Symbol.asyncDispose]() {
      await stop()
      bus.child.kill()
      await bus.ended
      await home.remove()
    },
  }
}

async function isOnBus(env: Readonly<Record<string, string>>): Promise<boolean> {
  const args = ['--session', '--print-reply', '--dest=org.freedesktop.DBus', '/', 'org.freedesktop.DBus.NameHasOwner']
  const asked = start('dbus-send', [...args, 'string:org.freedesktop.secrets'], env)
  await asked.ended
  return asked.out().includes('boolean true')
}

function start(command: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  return watchProgram(spawn(command, args, { env: { ...env }, stdio: 'pipe' }))
}
