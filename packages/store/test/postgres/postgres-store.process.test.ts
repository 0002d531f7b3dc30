import { describe } from 'vitest'
import { describeStore } from '../contract.ts'
import { isPostgresMissing, usePostgres, whyMissing } from './support.ts'

describe.skipIf(isPostgresMissing)(`with PostgreSQL${whyMissing}`, () => {
  const bench = usePostgres()
  describeStore('the store on PostgreSQL', () => bench.open())
})
