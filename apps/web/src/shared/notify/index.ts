export { startLoading, useLoading } from './loading.ts'
export { showMessage, useMessage } from './message.ts'
export { takeWaitingToasts, toast, useWaitingToasts } from './toast.ts'
