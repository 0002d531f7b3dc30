import { describeHardships } from './hardship-contract.ts'

await describeHardships({
  name: 'typescript',
  engine: 'node',
  source: 'typescript/app.ts',
  endless: '(() => { for (;;) {} })()',
  endsEvaluations: true,
  floods: [
    ['stdout', 'one line'],
    ['stderr', 'lines'],
  ],
  isQuick: true,
})
