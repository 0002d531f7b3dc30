/** Keeps secrets beside other processes that do the same: `<folder> <name> <rounds>`. Says each that was kept for good. */
import { SecretStore } from '../../src/secret-store.ts'

const [folder = '', name = '', rounds = '0'] = process.argv.slice(2)
const store = new SecretStore({ folder })
for (let round = 0; round < Number(rounds); round++) {
  await store.set('shared', `${name} ${round} ${'x'.repeat(5_000)}`)
  await store.set(`own ${name}`, String(round))
  await store.exclusively('counted', async () => {
    const count = Number((await store.get('counted')) ?? '0')
    await store.set('counted', String(count + 1))
  })
  process.stdout.write(`${round}\n`)
}
