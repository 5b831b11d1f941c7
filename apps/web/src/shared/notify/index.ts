export { startLoading, useLoading } from './loading.ts'
export { showMessage, useMessage } from './message.ts'
export { toast, toastManager } from './toast.ts'
