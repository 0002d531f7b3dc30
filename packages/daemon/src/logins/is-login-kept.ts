import { isLoginOf } from '@switchboard/pool'
import { SecretStore } from '@switchboard/secrets'

/** Whether a login at that server is kept in a home, at whatever address; nothing is unsealed for that. `folder`: of its secrets. */
export async function isLoginKept(folder: string, server: string): Promise<boolean> {
  return (await new SecretStore({ folder }).names()).some((name) => isLoginOf(server, name))
}
