export { csvText } from './csv.ts'
export { downloadText } from './download.ts'
