/**
 * The keychain of macOS, through the system's own program. It takes a password as an argument, which every process can see, or in
 * a command that it reads from its stdin: so that is how it gets it.
 */
import type { Keychain } from './keychain.ts'
import { describeFailure, type ProgramOptions, runProgram } from './run-program.ts'

const COMMAND = '/usr/bin/security'
const SERVICE = 'switchboard'
/** errSecItemNotFound */
const NOT_FOUND = 44

export function createMacosKeychain(env: ProgramOptions['env'], limit: number): Keychain {
  return {
    kind: 'macos',
    name: 'keychain of macOS',
    async read(account, signal) {
      const args = ['find-generic-password', '-s', SERVICE, '-a', account, '-w']
      const outcome = await runProgram(COMMAND, args, { env, signal, limit })
      if (outcome.code === NOT_FOUND) return undefined
      if (outcome.code !== 0) throw new Error(describeFailure(COMMAND, outcome))
      return outcome.stdout
    },
    async write(account, secret, signal) {
      // Account and secret are ours: letters, digits and `+/=-`, nothing to quote. Whether it took it is asked afterwards.
      const input = `add-generic-password -U -s ${SERVICE} -a ${account} -l Switchboard -w ${secret}\n`
      const outcome = await runProgram(COMMAND, ['-i'], { env, input, signal, limit })
      if (outcome.code !== 0) throw new Error(describeFailure(COMMAND, outcome))
    },
  }
}
