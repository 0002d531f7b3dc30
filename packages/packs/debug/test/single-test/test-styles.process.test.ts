/** Tests as people write them: classes, fixtures, parameters, nesting, tables. Each stops at its failing assertion. */
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type DebugWorkspace, lineOf, useDebugBench } from '../helpers/debug-bench.ts'

const bench = useDebugBench()

const LONG = 180_000
/** What it takes on a busy machine; nobody waits for it on another. */
const PATIENT = { timeoutMs: 120_000 }
const MODULES = fileURLToPath(new URL('../../../../../node_modules', import.meta.url))

/** Debugs the test at the first mark; it must stop at the second, which stands in the same file unless said otherwise. */
async function expectStop(
  { call }: DebugWorkspace,
  files: Readonly<Record<string, string>>,
  { path, from, at, stopsIn = path, name }: { path: string; from: string; at: string; stopsIn?: string; name: string },
): Promise<string> {
  const line = lineOf(files[path] ?? '', from)
  const answer = await call('test_debug_single', { path, line, ...PATIENT })
  expect(answer.text).toContain(at)
  expect(answer.data).toMatchObject({
    outcome: 'stopped',
    test: { name },
    snapshot: { event: 'stopped', path: stopsIn, line: lineOf(files[stopsIn] ?? '', at) },
  })
  return answer.text
}

describe('pytest', { timeout: LONG }, () => {
  const files = {
    'pyproject.toml': '[tool.pytest.ini_options]\npythonpath = ["src"]\n',
    'src/shop.py': 'def price(q):\n    if q < 0:\n        raise ValueError("negative")\n    return q * 2\n',
    'tests/conftest.py': `import pytest

@pytest.fixture(autouse=True)
def clean():
    yield

@pytest.fixture
def cart():
    return {"apple": 3}

@pytest.fixture
def broken():
    stock = {}
    return stock["pear"]  # fixture fails
`,
    'tests/test_shop.py': `import unittest
import pytest
from shop import price


class ShopTest(unittest.TestCase):
    def setUp(self):
        self.count = 2

    def test_sum(self):
        total = price(self.count)
        self.assertEqual(total, 5)


class TestCart:
    class TestInner:
        @pytest.mark.parametrize("q", [1, 2, 3], ids=["one", "two", "three"])
        def test_cart(self, cart, q):
            total = price(cart["apple"]) * q
            assert total != 12  # inner


def test_broken(broken):
    assert broken


def test_raises():
    price(-1)  # calls
`,
  }

  it('stops in a TestCase, in a parametrised method with a fixture, in a fixture of conftest.py, and in the code', async () => {
    const workspace = await bench.createWorkspace(files)
    const path = 'tests/test_shop.py'
    const assertion = await expectStop(workspace, files, {
      path,
      from: 'price(self.count)',
      at: 'assertEqual',
      name: 'ShopTest > test_sum',
    })
    expect(assertion).toMatch(/\btotal=4\b/)
    const inner = { path, from: '# inner', at: '# inner', name: 'TestCart > TestInner > test_cart' }
    expect(await expectStop(workspace, files, inner)).toMatch(/\bq=2\b/)
    const fixture = {
      path,
      from: 'assert broken',
      at: '# fixture fails',
      stopsIn: 'tests/conftest.py',
      name: 'test_broken',
    }
    expect(await expectStop(workspace, files, fixture)).toContain("KeyError: 'pear'")
    const code = { path, from: '# calls', at: 'raise ValueError', stopsIn: 'src/shop.py', name: 'test_raises' }
    expect(await expectStop(workspace, files, code)).toContain('negative')
  })
})

describe('node:test', { timeout: LONG }, () => {
  const files = {
    'package.json': '{"type":"module"}',
    'shop.test.ts': `import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'

type Cart = { readonly apples: number }

describe('shop', () => {
  describe('cart', () => {
    it('adds up', async () => {
      const cart: Cart = { apples: 3 }
      const total: number = cart.apples * 2
      assert.deepEqual({ total }, { total: 7 })
    })
    it('adds up again', () => {})
  })
})

test('steps', async (t) => {
  await t.test('first', () => {})
  await t.test('second', () => {
    const left = 1
    assert.strictEqual(left, 2)
  })
})

test('passes', () => {})
`,
  }

  it('stops in a nested test in TypeScript, in a subtest, and tells one that passes', async () => {
    const workspace = await bench.createWorkspace(files)
    const path = 'shop.test.ts'
    const nested = { path, from: 'cart.apples', at: 'deepEqual', name: 'shop > cart > adds up' }
    expect(await expectStop(workspace, files, nested)).toMatch(/\btotal=6\b/)
    await expectStop(workspace, files, { path, from: 'const left', at: 'strictEqual', name: 'steps' })
    const passed = await workspace.call('test_debug_single', {
      ...PATIENT,
      path,
      line: lineOf(files[path], "'passes'"),
    })
    expect(passed.data).toMatchObject({ outcome: 'passed', test: { name: 'passes' } })
    expect(passed.text).toMatch(/^passed: passes\n/)
  })
})

describe('vitest', { timeout: LONG }, () => {
  const files = {
    'package.json': '{"type":"module","devDependencies":{"vitest":"*"}}',
    'vitest.config.ts': `import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { globals: true, projects: [{ extends: true, test: { name: 'unit', include: ['packages/*/test/**/*.test.ts'] } }] },
})
`,
    'packages/a/package.json': '{"type":"module"}',
    'packages/a/test/shop.test.ts': `describe('shop', () => {
  it.each([
    [1, 2],
    [2, 5],
  ])('doubles %i to %i', (q, expected) => {
    const total: number = q * 2
    expect(total).toBe(expected)
  })
  it('handles failures by itself', () => {
    expect(() => JSON.parse('{')).toThrow()
  })
})
`,
  }

  it('stops in one case of a table, in a project of a configuration above, and passes over what is expected', async () => {
    const workspace = await bench.createWorkspace(files)
    await symlink(MODULES, join(workspace.root, 'node_modules'), 'junction')
    const path = 'packages/a/test/shop.test.ts'
    const name = 'shop > doubles %i to %i'
    const text = await expectStop(workspace, files, { path, from: 'q * 2', at: 'toBe(expected)', name })
    expect(text).toMatch(/\btotal=4\b/)
    await workspace.call('debug_stop', { all: true })
    const line = lineOf(files[path], 'JSON.parse')
    const passed = await workspace.call('test_debug_single', { path, line, ...PATIENT })
    expect(passed.text).toMatch(/^passed: shop > handles failures by itself/)
  })
})

describe('go test', { timeout: LONG }, () => {
  const files = {
    'go.mod': 'module shop\n\ngo 1.19\n',
    'shop.go': 'package shop\n\nfunc Price(q int) int {\n\treturn q * 2\n}\n',
    'shop_test.go': `package shop

import "testing"

func check(t *testing.T, got, want int) {
	t.Helper()
	if got != want {
		t.Fatalf("got %d, want %d", got, want) // helper
	}
}

func TestTable(t *testing.T) {
	tests := []struct {
		name string
		q    int
		want int
	}{
		{"one", 1, 2},
		{"two apples", 2, 5},
	}
	for _, tt := range tests {
		tt := tt
		t.Run(tt.name, func(t *testing.T) {
			got := Price(tt.q)
			if got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

func TestHelper(t *testing.T) {
	check(t, Price(1), 3) // calls
}
`,
  }

  it('stops in a row of a table, and in a helper', async () => {
    const workspace = await bench.createWorkspace(files)
    const path = 'shop_test.go'
    const table = await expectStop(workspace, files, { path, from: 'got := Price', at: 't.Errorf', name: 'TestTable' })
    expect(table).toMatch(/\bgot=4\b/)
    await workspace.call('debug_stop', { all: true })
    await expectStop(workspace, files, { path, from: '// calls', at: '// helper', name: 'TestHelper' })
  })
})
