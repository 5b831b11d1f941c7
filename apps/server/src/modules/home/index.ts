export { collectAll } from './commands.ts'
export { buildHomeQuery, readHome } from './queries.ts'
export { mountHome } from './routes.ts'
