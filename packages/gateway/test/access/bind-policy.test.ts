import { SwitchboardError } from '@switchboard/protocol/errors'
import { describe, expect, it } from 'vitest'
import { checkBind, isLoopbackHost } from '../../src/access/bind-policy.ts'

const LOOPBACK = [
  '127.0.0.1',
  '127.0.0.2',
  '127.255.255.254',
  'localhost',
  'LOCALHOST',
  'localhost.',
  '::1',
  '[::1]',
  '0:0:0:0:0:0:0:1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
]
const REACHABLE = [
  '0.0.0.0',
  '::',
  '[::]',
  '0',
  '',
  ' ',
  '*',
  '10.0.0.1',
  '192.168.1.2',
  '128.0.0.1',
  '126.255.255.255',
  '::ffff:10.0.0.1',
  '::ffff:0.0.0.0',
  'fe80::1',
  '::1%eth0',
  '::2',
  '127.1',
  '2130706433',
  '127.0.0.1.example',
  'localhost.example',
  'mylocalhost',
  'gateway.example',
]

describe('an address', () => {
  it.each(LOOPBACK)('%j is loopback and may be open to all', (host) => {
    expect(isLoopbackHost(host)).toBe(true)
    expect(() => checkBind(host, false)).not.toThrow()
  })

  it.each(REACHABLE)('%j is not surely loopback and needs authentication', (host) => {
    expect(isLoopbackHost(host)).toBe(false)
    expect(() => checkBind(host, false)).toThrow(SwitchboardError)
    expect(() => checkBind(host, true)).not.toThrow()
  })
})

it('says why an address is refused and what to do', () => {
  const refusal = (): void => checkBind('0.0.0.0', false)
  expect(refusal).toThrow(/Refusing to listen on "0\.0\.0\.0" without authentication/)
  expect(refusal).toThrow(
    expect.objectContaining({
      code: 'invalid_configuration',
      hint: expect.stringContaining('switchboard token create'),
    }),
  )
})
