export { teamFindings } from './check.ts'
export { placeMember } from './commands.ts'
export { readLayers } from './queries.ts'
export { mountTeam } from './routes.ts'
