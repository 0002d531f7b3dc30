/** Creates and revokes tokens in a file that other processes change at the same time: `<file> <name> <rounds>`. */
import { TokenStore } from '../../../src/access/token-store.ts'

const [file = '', name = '', rounds = '0'] = process.argv.slice(2)
const store = new TokenStore(file)
const kept: string[] = []
for (let round = 0; round < Number(rounds); round++) {
  const first = await store.create({ name: `${name}-${round}-kept` })
  const second = await store.create({ name: `${name}-${round}-gone` })
  if (!(await store.revoke(second.token.id))) throw new Error(`${second.token.id} was lost before it was revoked`)
  if ((await store.verify(second.text)).ok) throw new Error(`${second.token.id} is good after it was revoked`)
  kept.push(first.text)
}
await store.close()
console.log(JSON.stringify(kept))
