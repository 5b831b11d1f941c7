export { csvFile, csvText } from './csv.ts'
