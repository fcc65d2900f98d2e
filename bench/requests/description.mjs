// Reads the server's OpenAPI description.

import SwaggerParser from '@apidevtools/swagger-parser';

const methods = ['get', 'put', 'post', 'patch', 'delete'];

// readDescription gives the description with every reference replaced by what it refers to.
export async function readDescription(address) {
  const answer = await fetch(address + '/api/v1/openapi.json');
  const document = await SwaggerParser.dereference(await answer.json());
  return {document, base: new URL(document.servers[0].url, address), operations: operations(document)};
}

// operations lists what the description offers; each has the parameters of its path too.
function operations(document) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.filter((method) => item[method]).map((method) => ({
      method,
      path,
      parameters: [...(item.parameters ?? []), ...(item[method].parameters ?? [])],
      bodies: item[method].requestBody?.content ?? {},
      tags: item[method].tags,
      share: share(method, path),
    })),
  );
}

// share is how often an operation is taken when it is its turn: were all taken, there would soon be nothing left to show and change.
function share(method, path) {
  if (method !== 'delete') return 1;
  return path.endsWith('{project}') ? 0.02 : 0.3; // a project takes its reports with it
}
