/** The Secret Service of a Linux desktop (GNOME Keyring, KWallet, KeePassXC), through libsecret's own program. */
import type { Keychain } from './keychain.ts'
import { describeFailure, type ProgramOptions, runProgram } from './run-program.ts'

const COMMAND = 'secret-tool'

export function createSecretService(env: ProgramOptions['env'], limit: number): Keychain {
  const attributes = (account: string): string[] => ['application', 'switchboard', 'account', account]
  return {
    kind: 'secret-service',
    name: 'keychain of the system (Secret Service)',
    async read(account, signal) {
      const outcome = await runProgram(COMMAND, ['lookup', ...attributes(account)], { env, signal, limit })
      if (outcome.code === 0) return outcome.stdout
      // Nothing found is said by the exit alone; every trouble has words.
      if (outcome.code === 1 && outcome.stderr.trim() === '') return undefined
      throw new Error(describeFailure(COMMAND, outcome))
    },
    async write(account, secret, signal) {
      const args = ['store', '--label=Switchboard', ...attributes(account)]
      const outcome = await runProgram(COMMAND, args, { env, input: secret, signal, limit })
      if (outcome.code !== 0) throw new Error(describeFailure(COMMAND, outcome))
    },
  }
}
