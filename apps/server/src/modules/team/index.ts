export { teamFindings } from './check.ts'
export { addActivation, addPerformance, placeMember } from './commands.ts'
export { readLayers } from './queries.ts'
export { mountTeam } from './routes.ts'
