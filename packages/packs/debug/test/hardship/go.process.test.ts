import { describeHardships } from './hardship-contract.ts'

await describeHardships({
  name: 'go',
  engine: 'delve',
  source: 'go/app.go',
  build: { command: 'go', args: ['build', '-gcflags=all=-N -l', '-o', 'app', '.'], program: 'app' },
  endless: 'call endless()',
  endsEvaluations: false,
  floods: [
    ['stdout', 'lines'],
    ['stderr', 'one line'],
  ],
  isQuick: true,
})
