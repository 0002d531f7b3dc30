/** What only a login needs, loaded for one. */
export { findChallenge } from './find-challenge.ts'
export { beginAttempt } from './login-attempt.ts'
