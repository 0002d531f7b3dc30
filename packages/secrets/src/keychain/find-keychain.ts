import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createChildEnvironment, resolveCommand } from '@switchboard/process'
import type { Keychain } from './keychain.ts'
import { createMacosKeychain } from './macos-keychain.ts'
import { createSecretService } from './secret-service.ts'

/** A person may have to type the password of the keychain. */
const WITH_PERSON_MS = 60_000
/** Where no window can open nobody is asked: whoever does not answer by then waits for a person who cannot come. */
const WITHOUT_PERSON_MS = 5_000

type Environment = Readonly<Record<string, string | undefined>>

/** Starts nothing, and says nothing of whether it answers. Windows: what is below the profile is its user's alone. */
export function findKeychain(env: Environment, platform: NodeJS.Platform = process.platform): Keychain | undefined {
  if (platform === 'darwin') return createMacosKeychain(env, WITH_PERSON_MS)
  if (platform !== 'linux' || !hasSessionBus(env)) return undefined
  const environment = createChildEnvironment({}, true, env)
  if (!resolveCommand('secret-tool', { cwd: undefined, environment }).found) return undefined
  const hasScreen = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
  return createSecretService(env, hasScreen ? WITH_PERSON_MS : WITHOUT_PERSON_MS)
}

/** Without one libsecret would start a bus of its own, which nobody ends. */
function hasSessionBus({ DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: runtime }: Environment): boolean {
  return Boolean(address) || (Boolean(runtime) && existsSync(join(runtime ?? '', 'bus')))
}
