import { describe, expect, it } from 'vitest'
import { type FoundTest, findNearestTests, findTestAt } from '../../src/single-test/found-test.ts'
import { findGoTests } from '../../src/single-test/go-tests.ts'
import { judgeRun } from '../../src/single-test/judge-run.ts'
import { findPythonTests } from '../../src/single-test/python-tests.ts'
import { findScriptTests, toNamePattern } from '../../src/single-test/script-tests.ts'

const TEMPLATE = '$'.concat('{name}')

function show(tests: readonly FoundTest[]): string[] {
  return tests.map(
    ({ names, line, endLine, isSuite, isParametrised }) =>
      `${line}-${endLine} ${names.join(' > ')}${isSuite ? ' (suite)' : ''}${isParametrised ? ' (parametrised)' : ''}`,
  )
}

describe('findPythonTests', () => {
  it('finds functions, classes and parametrised tests with their extent', () => {
    const text = `import pytest

def helper():
    pass

def test_plain():
    assert 1

    assert 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "q, expected",
    [(1, 2)],
)
def test_price(q, expected):
    text = """
def test_inside_text():
    """
    def test_inside(): pass
    assert q

class TestCart:
    async def test_total(self):
        assert 1

    def helper(self): pass

class Cart(unittest.TestCase):
    def test_total(self):
        assert 1

class Other:
    def test_nothing(self): pass
`
    expect(show(findPythonTests(text))).toEqual([
      '6-9 test_plain',
      '12-22 test_price (parametrised)',
      '24-28 TestCart (suite)',
      '25-26 TestCart > test_total',
      '30-32 Cart (suite)',
      '31-32 Cart > test_total',
    ])
  })

  it('finds nothing in a file that has none', () => {
    expect(findPythonTests('')).toEqual([])
    expect(findPythonTests('def f(:\n "')).toEqual([])
  })
})

describe('findGoTests', () => {
  it('finds tests and the subtests that have a written name', () => {
    const text = `package a

func TestAdd(t *testing.T) {
	t.Run("two and two", func(t *testing.T) {
		t.Fail()
	})
	if true {
	}
}

func Testify(t *testing.T) {}

func TestTable(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
		})
	}
}

func helper(t *testing.T) {}
`
    expect(show(findGoTests(text))).toEqual([
      '3-9 TestAdd',
      '4-6 TestAdd > two_and_two',
      '13-18 TestTable (parametrised)',
    ])
  })
})

describe('findScriptTests', () => {
  it('finds tests in suites, whatever stands in strings and comments', () => {
    const text = `import { describe, it, test } from 'node:test'
// test('not this', () => {
describe('cart', () => {
  it("doesn't add )", async () => {
    const text = "test('nor this', () => {"
    const pattern = /['"(]/
    assert.equal(text, \`\${pattern} (\`)
  })
  describe.skip('inner', () => {
    test.only('deep', () => {})
  })
})
test.each([[1, 2], [3, 4]])('adds %i and %i', (a, b) => {
  expect(a).toBe(b)
})
it(\`has \${name}\`, () => {})
regexp.test('text')
`
    expect(show(findScriptTests(text))).toEqual([
      '3-12 cart (suite)',
      "4-8 cart > doesn't add )",
      '9-11 cart > inner (suite)',
      '10-10 cart > inner > deep',
      '13-15 adds %i and %i (parametrised)',
      `16-16 has ${TEMPLATE} (parametrised)`,
    ])
  })

  it('makes patterns that match the full name', () => {
    expect('cart adds (1) a/b').toMatch(new RegExp(toNamePattern(['cart', 'adds (1) a/b'], false)))
    expect('adds 1 and 2').toMatch(new RegExp(toNamePattern(['adds %i and %i'], true)))
    expect('cart > adds').toMatch(new RegExp(toNamePattern(['cart', 'adds'], false)))
    expect('has one').toMatch(new RegExp(toNamePattern([`has ${TEMPLATE}`], true)))
    expect('adds 10').not.toMatch(new RegExp(toNamePattern(['adds 1'], false)))
  })
})

describe('findTestAt', () => {
  const tests = findPythonTests(
    'class TestA:\n    def test_one(self):\n        assert 1\n\n    x = 1\n\ndef test_two():\n    pass\n',
  )

  it('gives the innermost test, else the suite', () => {
    expect(findTestAt(tests, 3)?.names).toEqual(['TestA', 'test_one'])
    expect(findTestAt(tests, 5)?.names).toEqual(['TestA'])
    expect(findTestAt(tests, 6)).toBeUndefined()
  })

  it('names the nearest where there is none', () => {
    expect(findNearestTests(tests, 6, 1).map(({ names }) => names.at(-1))).toEqual(['test_two'])
  })
})

describe('judgeRun', () => {
  it.each([
    ['pytest', 0, '1 passed', 'passed'],
    ['pytest', 1, '1 failed', 'failed'],
    ['pytest', 4, 'ERROR: not found', 'not_run'],
    ['pytest', 1, '/usr/bin/python3: No module named pytest', 'not_run'],
    ['pytest', 0, '1 skipped in 0.01s', 'skipped'],
    ['pytest', 0, '1 passed, 1 skipped', 'passed'],
    ['node:test', 0, 'ℹ tests 1\nℹ pass 0\nℹ skipped 1\n', 'skipped'],
    ['go test', 0, '=== RUN TestX\n--- SKIP: TestX (0.00s)\nPASS', 'skipped'],
    ['vitest', 0, '\u001b[2m      Tests \u001b[22m \u001b[33m3 skipped\u001b[39m\u001b[90m (3)\u001b[39m', 'not_run'],
    ['node:test', 0, 'ℹ tests 1\n', 'passed'],
    ['node:test', 0, 'ℹ tests 0\nℹ pass 0', 'not_run'],
    ['vitest', 1, 'No test files found, exiting with code 1', 'not_run'],
    ['vitest', 0, '      Tests  1 passed (1)', 'passed'],
    ['go test', 0, 'testing: warning: no tests to run', 'not_run'],
    ['go test', 1, '--- FAIL: TestAdd', 'failed'],
    ['go test', undefined, '--- FAIL: TestAdd', 'failed'],
  ] as const)('tells of %s what became of the test', (framework, exitCode, output, verdict) => {
    expect(judgeRun(framework, exitCode, output)).toBe(verdict)
  })
})
