export { pledgeFindings } from './check.ts'
export { closeDays, returnPledges } from './close-days.ts'
export { collectProduction, payDueDividends } from './commands.ts'
export { checkEvidence, judgeOutput, SATOSHI_DECIMALS } from './evidence.ts'
export { type Funding, readFundedAhead, readFundings } from './fundings.ts'
export { type NextDay, readNextDay } from './next-day.ts'
export {
  countsFromSql,
  dueDividendsSql,
  formatBtc,
  formatBtn,
  formatWeight,
  type LastShare,
  lastShareSql,
  readClosedDays,
  readProduction,
  readPublicNextDay,
} from './queries.ts'
export { mountPledge } from './routes.ts'
export { settlePledges } from './settle-pledges.ts'
