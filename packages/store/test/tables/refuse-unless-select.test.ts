import { expect, it } from 'vitest'
import { refuseUnlessSelect } from '../../src/tables/refuse-unless-select.ts'

it.each([
  'SELECT path FROM files',
  "select name from symbols where name = 'main' -- kept_files\n",
  'WITH x AS (SELECT 1) SELECT * FROM x;',
  'SELECT \'a;b\', "c;d", [e;f] FROM files /* ; kept_ */',
  'VALUES (1)',
])('%s may be run', (sql) => {
  expect(refuseUnlessSelect(sql, 'kept_')).toBeUndefined()
})

it.each([
  ['INSERT INTO files VALUES (1)', 'only SELECT'],
  ['', 'only SELECT'],
  ['/* SELECT */ DELETE FROM files', 'only SELECT'],
  ['SELECT 1; SELECT 2', 'more than one statement'],
  ['SELECT * FROM kept_files', 'not for queries'],
  ['SELECT * FROM main."kept_files"', 'not for queries'],
  ["SELECT * FROM main.'KEPT_files'", 'not for queries'],
  ['SELECT * FROM main.[kept_files]', 'not for queries'],
  ['SELECT * FROM main.`kept_files`', 'not for queries'],
  ['SELECT * FROM SQLite_DbPage', 'not for queries'],
  ["SELECT '' FROM kept_files WHERE 'x' = 'y'", 'not for queries'],
])('%s may not', (sql, why) => {
  expect(refuseUnlessSelect(sql, 'kept_')).toContain(why)
})
