// Loaded before the program: notes every module that is loaded, in its order.
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const file = process.env.NOTED_MODULES ?? ''

registerHooks({
  load(url, context, next) {
    appendFileSync(file, `${url}\n`)
    return next(url, context)
  },
})
