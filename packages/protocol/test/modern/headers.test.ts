import { createRequest, type JsonObject } from '@switchboard/protocol'
import {
  createModernHeaders,
  createRequestEnvelope,
  encodeHeaderValue,
  validateModernHeaders,
  withRequestEnvelope,
} from '@switchboard/protocol/modern'
import { describe, expect, it } from 'vitest'
import { MALFORMED } from '../helpers/malformed.ts'

const version = '2026-07-28'
const envelope = createRequestEnvelope({ version, capabilities: {} })
const tool = {
  inputSchema: {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      options: { type: 'object', properties: { limit: { type: 'integer', 'x-mcp-header': 'Limit' } } },
      dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
    },
  },
}

function createCall(args: JsonObject, name = 'query') {
  return createRequest(1, 'tools/call', withRequestEnvelope({ name, arguments: args }, envelope))
}

describe('createModernHeaders', () => {
  it('names version and method for every request', () => {
    expect(createModernHeaders({ method: 'tools/list', version })).toEqual({
      'MCP-Protocol-Version': version,
      'Mcp-Method': 'tools/list',
    })
  })

  it.each([
    ['tools/call', { name: 'query' }, 'query'],
    ['prompts/get', { name: 'größe' }, encodeHeaderValue('größe')],
    ['resources/read', { uri: 'file:///a b' }, 'file:///a b'],
  ])('names what %s is about', (method, params, expected) => {
    expect(createModernHeaders({ method, params, version })['Mcp-Name']).toBe(expected)
  })

  it.each(['completion/complete', 'constructor', '__proto__', 'tools/list'])('names nothing for %s', (method) => {
    expect('Mcp-Name' in createModernHeaders({ method, params: { name: 'x', uri: 'y' }, version })).toBe(false)
  })

  it('repeats annotated arguments, nested ones too', () => {
    const params = { name: 'query', arguments: { region: 'zürich', options: { limit: 7 }, dry: false } }
    expect(createModernHeaders({ method: 'tools/call', params, version, tool })).toMatchObject({
      'Mcp-Param-Region': encodeHeaderValue('zürich'),
      'Mcp-Param-Limit': '7',
      'Mcp-Param-Dry': 'false',
    })
  })

  it.each([undefined, {}, { region: null, options: null }, { region: ['x'], options: { limit: {} } }, 'text'])(
    'leaves out arguments that are absent, null or not of a simple type: %j',
    (args) => {
      const headers = createModernHeaders({
        method: 'tools/call',
        params: { name: 'q', arguments: args },
        version,
        tool,
      })
      expect(Object.keys(headers).filter((name) => name.startsWith('Mcp-Param-'))).toEqual([])
    },
  )

  it('lets nothing break out of its header', () => {
    const params = { name: 'x\r\nX-Evil: 1', arguments: { region: 'y\r\nX-Evil: 1' } }
    const headers = createModernHeaders({ method: 'tools/call\r\nX: 1', params, version, tool })
    for (const value of Object.values(headers)) expect(value).not.toMatch(/[\r\n]/)
  })
})

describe('validateModernHeaders', () => {
  const body = createCall({ region: 'zürich', options: { limit: 7 }, dry: true })
  const headers = createModernHeaders({ ...body, version, tool })
  const lowerCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

  it.each([
    ['as they were made', headers],
    ["in Node's lower case", lowerCase],
    ['as web Headers', new Headers(headers)],
    ['with an unknown parameter header', { ...headers, 'Mcp-Param-Other': 'x' }],
    ['with an integer written another way', { ...headers, 'Mcp-Param-Limit': '7.0' }],
    ['with a plain value in base64', { ...headers, 'Mcp-Name': `=?base64?${btoa('query')}?=` }],
  ])('accepts headers %s', (_title, received) => {
    expect(validateModernHeaders(received, body, tool)).toBeUndefined()
  })

  it.each([
    ['MCP-Protocol-Version', '2025-11-25'],
    ['MCP-Protocol-Version', undefined],
    ['Mcp-Method', 'tools/list'],
    ['Mcp-Method', undefined],
    ['Mcp-Name', 'other'],
    ['Mcp-Name', undefined],
    ['Mcp-Name', '=?base64?***?='],
    ['Mcp-Param-Region', 'basel'],
    ['Mcp-Param-Region', undefined],
    ['Mcp-Param-Limit', '8'],
    ['Mcp-Param-Limit', ''],
    ['Mcp-Param-Dry', 'false'],
  ])('refuses %s: %s', (name, value) => {
    const mismatch = validateModernHeaders({ ...headers, [name]: value }, body, tool)
    expect(mismatch).toMatchObject({ header: name, received: value })
    expect(mismatch?.message).toContain(name)
  })

  it('refuses a parameter header for an argument that the body does not have', () => {
    const mismatch = validateModernHeaders(headers, createCall({ options: { limit: 7 }, dry: true }), tool)
    expect(mismatch).toMatchObject({ header: 'Mcp-Param-Region', expected: undefined })
  })

  it('compares no parameters without the tool', () => {
    expect(validateModernHeaders({ ...headers, 'Mcp-Param-Region': 'basel' }, body)).toBeUndefined()
  })

  it('asks a notification, which has no envelope, for version and method only', () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    const sent = { 'mcp-protocol-version': version, 'mcp-method': 'notifications/cancelled' }
    expect(validateModernHeaders(sent, notification)).toBeUndefined()
    expect(validateModernHeaders({ 'mcp-method': 'notifications/cancelled' }, notification)).toBeDefined()
  })

  it('refuses a header that was sent twice', () => {
    expect(validateModernHeaders({ ...headers, 'Mcp-Name': ['query', 'other'] }, body, tool)).toBeDefined()
  })

  it.each(MALFORMED)('never throws for a body of %j', (value) => {
    expect(validateModernHeaders(headers, value, tool)).toBeDefined()
    expect(validateModernHeaders({}, value, tool)).toBeDefined()
  })
})
