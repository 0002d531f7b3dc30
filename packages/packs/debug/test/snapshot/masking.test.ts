import { describe, expect, test } from 'vitest'
import { KnownSecrets, SecretMasking, textsOf } from '../../src/snapshot/masking.ts'

const masking = new SecretMasking()

describe('a value', () => {
  test.each([
    ['token', '79'],
    ['tokens', "['a']"],
    ['nextToken', '{type: "name", value: "x"}'],
    ['apiKey', '"abc"'],
    ['key', '"user:17"'],
    ['password', 'None'],
    ['password', '"password"'],
    ['hasPassword', 'true'],
    ['authorization', '"none"'],
    ['sessionCookie', '"a=1; b=2"'],
    ['secret', '12345678'],
    ['sum', '17'],
  ])('%s = %s is shown', (name, value) => {
    expect(masking.value(name, value)).toBe(value)
  })

  test.each([
    ['password', "'hunter2'"],
    ['user.password', "'hunter2'"],
    ['env["API_KEY"]', "'q8Zt3Kd92LmX7vB1'"],
    ['accessToken', '"a81bc81bdead4e5da81b"'],
    ['anything', '&"wJalrXUtnF3MI9K7MD3NGbPxRfiCY4zQ8LmT2vB1"'],
  ])('%s = %s looks like a secret', (name, value) => {
    expect(masking.value(name, value)).toBe('[masked]')
  })

  test('has what looks like a secret inside of it masked, and nothing else', () => {
    expect(masking.value('x', '"ghp_0123456789abcdefghijABCDEFGHIJ012345"')).toBe('"[masked]"')
    expect(masking.value('config', "{'password': 'hunter2', 'token': 3}")).toBe("{'password': '[masked]', 'token': 3}")
  })

  test('that is the value of a secret in the environment is masked wherever it stands', () => {
    const own = new SecretMasking()
    own.learnEnvironment({ DEPLOY_TOKEN: 'plain-looking', EDITOR: 'vi' })
    expect(own.value('x', '"plain-looking"')).toBe('"[masked]"')
    expect(own.text('sent plain-looking to vi')).toBe('sent [masked] to vi')
  })

  test('that looked like a secret under its name is known under another', () => {
    const secrets = new KnownSecrets()
    secrets.learn(masking, [
      { name: 'password', value: '"hunter2!"' },
      { name: 'token', value: '"name"' },
    ])
    expect(secrets.has('"hunter2!"')).toBe(true)
    expect(secrets.has('"name"')).toBe(false)
  })
})

test('what an agent wrote itself is never masked, and the rest of the text is', () => {
  const said = textsOf({ breakpoints: [{ condition: 'password === "hunter2!"' }], line: 3 })
  expect(masking.text('"password === "hunter2!"" fails: password="hunter2!!"', said)).toBe(
    '"password === "hunter2!"" fails: password="[masked]"',
  )
})
