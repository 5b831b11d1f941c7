export const files = {
  show: 'Show it here',
  shared: 'Handed to the app that you chose.',
  download: 'The download was handed to your browser. Nothing there?',
  pictureText: 'Press and hold the picture to save it or to send it.',
  textText: 'Copy the text and paste it where you want to keep it.',
  picture: 'Your invitation: QR code, code and link',
  copy: 'Copy',
  share: 'Share',
  shareFailed: 'Your system could not share it.',
} as const
