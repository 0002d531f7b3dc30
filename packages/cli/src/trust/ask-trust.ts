/** What is trusted, as whoever runs the servers answers: the daemon, or this process where none runs. */
import type { ServerTrust, WaitingReport } from '@switchboard/daemon/client'
import type { JsonObject } from '@switchboard/protocol'
import type { Backend } from '../backend/backend.ts'
import { runWithBackend } from '../backend/run-with-backend.ts'
import type { CommandContext } from '../context/command-context.ts'

export interface TrustLink {
  list(params?: JsonObject): Promise<readonly ServerTrust[]>
  accept(params: JsonObject): Promise<{ readonly accepted: readonly WaitingReport[]; readonly left: number }>
  revoke(params: JsonObject): Promise<{ readonly isConfigured: boolean; readonly held: number }>
}

/** No server is started for it: of one that was never seen there is nothing to say. */
export function askTrust<T>(context: CommandContext, use: (trust: TrustLink) => Promise<T>): Promise<T> {
  return runWithBackend(context, { isSilent: true }, (backend) => use(createLink(backend)))
}

function createLink(backend: Backend): TrustLink {
  const ask = <Answer>(command: string, params: JsonObject): Promise<Answer> =>
    // The shapes are those of `trust-commands.ts`.
    backend.runCommand('trust', command, params) as Promise<Answer>
  return {
    list: async (params = {}) => (await ask<{ servers: readonly ServerTrust[] }>('list', params)).servers,
    accept: (params) => ask('accept', params),
    revoke: (params) => ask('revoke', params),
  }
}
