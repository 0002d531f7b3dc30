import { describeHardships } from './hardship-contract.ts'

await describeHardships({
  name: 'python',
  engine: 'debugpy',
  source: 'python/app.py',
  endless: 'endless()',
  endsEvaluations: true,
  floods: [['stderr', 'lines']],
  isQuick: true,
})
