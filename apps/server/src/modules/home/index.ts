export { collectAll } from './commands.ts'
export { readIncome } from './income.ts'
export { buildHomeQuery, readHome } from './queries.ts'
export { mountHome } from './routes.ts'
