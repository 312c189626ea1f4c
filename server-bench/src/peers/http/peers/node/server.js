// node:http in one process.
const http = require('node:http');

const TEXT = Buffer.from('Hello, World!');

http.createServer((request, response) => {
  const send = (type, body) => {
    response.writeHead(200, {'Content-Type': type, 'Content-Length': body.length});
    response.end(body);
  };
  if (request.url === '/json') {
    send('application/json', Buffer.from(JSON.stringify({message: 'Hello, World!'})));
  } else if (request.url === '/echo') {
    const pieces = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => send('application/octet-stream', Buffer.concat(pieces)));
  } else {
    send('text/plain', TEXT);
  }
}).listen(Number(process.argv[2]), '127.0.0.1', 4096);
