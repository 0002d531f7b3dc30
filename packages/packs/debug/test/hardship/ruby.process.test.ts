import { describeHardships } from './hardship-contract.ts'

await describeHardships({
  name: 'ruby',
  engine: 'rdbg',
  source: 'ruby/app.rb',
  endless: 'endless',
  endsEvaluations: false,
  floods: [
    ['stdout', 'one line'],
    ['stderr', 'lines'],
  ],
  isQuick: true,
})
