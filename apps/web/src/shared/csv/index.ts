export { csvText } from './csv.ts'
export { downloadFile, downloadText } from './download.ts'
