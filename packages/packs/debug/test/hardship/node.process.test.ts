import { describeHardships } from './hardship-contract.ts'

await describeHardships({
  name: 'node',
  engine: 'node',
  source: 'node/app.cjs',
  endless: '(() => { for (;;) {} })()',
  endsEvaluations: true,
  floods: [
    ['stdout', 'lines'],
    ['stderr', 'one line'],
  ],
  isQuick: true,
})
