import { execFile } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { lineOf, useDebugBench } from '../helpers/debug-bench.ts'

const bench = useDebugBench()

const PYTHON = `import pytest

def price(q):
    if q > 50:
        raise KeyError(q)
    return q * 2

class TestShop:
    def test_total(self):
        with pytest.raises(KeyError):
            price(99)
        total = price(2)
        assert total == 5

@pytest.mark.parametrize("q,expected", [(1, 2), (10, 20)])
def test_price(q, expected):
    result = price(q)  # here
    assert result == expected
`

const NODE = `import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

function price(q) {
  try {
    if (q > 50) throw new RangeError('too many')
  } catch {}
  return q * 2
}

describe('shop', () => {
  it('has a price (of one)', () => {
    assert.equal(price(1), 2)
  })
  it('has a total', async () => {
    const total = price(99)
    await 1
    assert.equal(total, 5)
  })
})
`

const GO = `package shop

import "testing"

func price(q int) int { return q * 2 }

func TestPrice(t *testing.T) {
	if price(1) != 2 {
		t.Fatal("wrong")
	}
}

func TestTotal(t *testing.T) {
	t.Run("of two", func(t *testing.T) {
		total := price(2)
		if total != 5 {
			t.Errorf("total is %d", total)
		}
	})
}
`

const LONG = 180_000
/** What it takes on a busy machine; nobody waits for it on another. */
const PATIENT = { timeoutMs: 120_000 }

describe('test_list', () => {
  it('lists the tests of a file', async () => {
    const { call } = await bench.createWorkspace({ 'test_shop.py': PYTHON })
    expect((await call('test_list', { path: 'test_shop.py' })).text).toBe(
      '2 tests of pytest in test_shop.py\n9 TestShop > test_total\n15 test_price (parametrised)',
    )
  })

  it('refuses a file that is not there, and one of no known framework', async () => {
    const { call } = await bench.createWorkspace({ 'notes.txt': 'x', 'app.test.js': 'test("x", () => {})' })
    expect((await call('test_list', { path: 'notes.txt' })).text).toContain('start it with debug_start')
    expect(await call('test_list', { path: 'gone.py' })).toMatchObject({ code: 'E_FILE_NOT_FOUND' })
    expect(await call('test_list', { path: 'notes.txt' })).toMatchObject({ code: 'E_DISCOVERY_FAILED' })
    expect(await call('test_list', { path: 'app.test.js' })).toMatchObject({ code: 'E_DISCOVERY_FAILED' })
  })
})

describe('test_debug_single', () => {
  it.each([
    ['jest', 'packages/a/shop.test.js', `{"devDependencies":{"jest":"*"}}`, 'test("x", () => {})'],
    ['jest', 'shop.test.ts', '{}', `import { test } from '@jest/globals'`],
    ['mocha', 'test/shop.js', '{}', `const { it } = require('mocha')`],
  ])('says how to debug a test of %s: %s', async (runner, path, manifest, text) => {
    const { call } = await bench.createWorkspace({ 'package.json': manifest, [path]: text })
    const answer = await call('test_debug_single', { ...PATIENT, path, line: 1 })
    expect(answer.code).toBe('E_DISCOVERY_FAILED')
    expect(answer.text).toContain(`is of ${runner}, which is not run test by test here`)
    expect(answer.text).toContain(`debug_start {"program":"node_modules/${runner}/bin/${runner}.js","args":["${path}"`)
  })

  it(
    'names the command that installs a runner that is missing',
    async () => {
      const { call, root } = await bench.createWorkspace({
        'shop.test.ts': `import { it } from 'vitest'\nit('x', () => {})\n`,
        'test_shop.py': 'def test_x():\n    pass\n',
      })
      const vitest = await call('test_debug_single', { ...PATIENT, path: 'shop.test.ts', line: 2 })
      expect(vitest.text).toContain('npm install --save-dev vitest')
      await promisify(execFile)('python3', ['-m', 'venv', '--without-pip', join(root, '.venv')])
      const pytest = await call('test_debug_single', { path: 'test_shop.py', line: 1, ...PATIENT })
      expect(pytest.code).toBe('E_DISCOVERY_FAILED')
      expect(pytest.text).toContain('python3 -m pip install pytest')
    },
    LONG,
  )

  it('names the nearest tests where there is none', async () => {
    const { call } = await bench.createWorkspace({ 'test_shop.py': PYTHON })
    const answer = await call('test_debug_single', { ...PATIENT, path: 'test_shop.py', line: 3 })
    expect(answer.code).toBe('E_NO_TEST_AT_CURSOR')
    expect(answer.text).toContain('TestShop > test_total (line 9)')
  })

  it(
    'stops a test of pytest at its failing assertion, and at no exception that the test expects',
    async () => {
      const { call } = await bench.createWorkspace({ 'test_shop.py': PYTHON })
      const answer = await call('test_debug_single', { ...PATIENT, path: 'test_shop.py', line: 12 })
      expect(answer.data).toMatchObject({
        outcome: 'stopped',
        test: { name: 'TestShop > test_total', framework: 'pytest', line: 9 },
        snapshot: { event: 'stopped', path: 'test_shop.py', line: lineOf(PYTHON, 'total == 5') },
      })
      expect(answer.text).toContain('AssertionError')
      expect((await call('debug_evaluate', { expression: 'total' })).text).toContain('4')
    },
    LONG,
  )

  it(
    'debugs one case of a parametrised test, to a breakpoint and to its end',
    async () => {
      const { call } = await bench.createWorkspace({ 'test_shop.py': PYTHON })
      const line = lineOf(PYTHON, '# here')
      const params = { path: 'test_shop.py', line, case: '10-20', breakpoints: [{ path: 'test_shop.py', line }] }
      const stopped = await call('test_debug_single', { ...PATIENT, ...params })
      expect(stopped.data).toMatchObject({ outcome: 'stopped', snapshot: { line } })
      expect(stopped.text).toMatch(/\bq=10\b/)
      expect((await call('debug_continue')).data).toMatchObject({ event: 'terminated', exitCode: 0 })
    },
    LONG,
  )

  it(
    'tells a test that passes',
    async () => {
      const { call } = await bench.createWorkspace({ 'test_shop.py': PYTHON })
      const answer = await call('test_debug_single', { ...PATIENT, path: 'test_shop.py', line: 16 })
      expect(answer.data).toMatchObject({ outcome: 'passed' })
      expect(answer.text).toMatch(/^passed: test_price\n/)
    },
    LONG,
  )

  it(
    'stops a test of node:test at its failing assertion',
    async () => {
      const { call } = await bench.createWorkspace({ 'shop.test.mjs': NODE })
      const line = lineOf(NODE, 'price(99)')
      const answer = await call('test_debug_single', { ...PATIENT, path: 'shop.test.mjs', line })
      expect(answer.text).toContain('assert.equal(total, 5)')
      expect(answer.data).toMatchObject({
        outcome: 'stopped',
        snapshot: { path: 'shop.test.mjs', line: lineOf(NODE, 'total, 5') },
      })
      expect(answer.text).toMatch(/\btotal=198\b/)
    },
    LONG,
  )

  it(
    'runs only the one test of node:test, whatever its name has in it',
    async () => {
      const { call } = await bench.createWorkspace({ 'shop.test.mjs': NODE })
      const answer = await call('test_debug_single', {
        ...PATIENT,
        path: 'shop.test.mjs',
        line: lineOf(NODE, 'of one'),
      })
      expect(answer.data).toMatchObject({ outcome: 'passed', test: { name: 'shop > has a price (of one)' } })
    },
    LONG,
  )

  it(
    'stops a test of vitest in TypeScript at its failing assertion',
    async () => {
      const text = `import { expect, it } from 'vitest'

interface Row { readonly q: number }

it('has a total', () => {
  const row: Row = { q: 2 }
  const total = row.q * 2
  expect(total).toBe(5)
})
`
      const { call, root } = await bench.createWorkspace({ 'shop.test.ts': text, 'package.json': '{"type":"module"}' })
      const modules = fileURLToPath(new URL('../../../../../node_modules', import.meta.url))
      await symlink(modules, join(root, 'node_modules'), 'junction')
      const answer = await call('test_debug_single', { path: 'shop.test.ts', line: 6, ...PATIENT })
      expect(answer.text).toContain('expect(total).toBe(5)')
      expect(answer.data).toMatchObject({ outcome: 'stopped', snapshot: { path: 'shop.test.ts', line: 8 } })
      expect(answer.text).toMatch(/\btotal=4\b/)
    },
    LONG,
  )

  it(
    'stops a test of Go where it tells its failure',
    async () => {
      const { call } = await bench.createWorkspace({ 'shop_test.go': GO, 'go.mod': 'module shop\n\ngo 1.19\n' })
      const passed = await call('test_debug_single', { path: 'shop_test.go', line: 8, ...PATIENT })
      expect(passed.data).toMatchObject({ outcome: 'passed', test: { name: 'TestPrice' } })
      const failed = await call('test_debug_single', { path: 'shop_test.go', line: 15, ...PATIENT })
      expect(failed.data).toMatchObject({ outcome: 'stopped', test: { name: 'TestTotal > of_two' } })
      expect(failed.text).toMatch(/shop_test\.go:17/)
    },
    LONG,
  )
})
