// of the body for 400, with an id that does not exist for 404.
const hooks = require("hooks");

hooks.beforeEach((transaction, done) => {
  const { request, expected } = transaction;
  const { TOKEN, KEY } = process.env;
  delete request.headers.Authorization;
  delete request.headers["x-api-key"];
  if (expected.statusCode !== "401") {
    if (request.uri.endsWith("/auth/token")) request.headers["x-api-key"] = KEY;
    else request.headers.Authorization = `Bearer ${TOKEN}`;
  }
  if (expected.statusCode === "400") {
    const body = JSON.parse(request.body);
    delete body[Object.keys(body)[0]];
    request.body = JSON.stringify(body);
  }
  if (expected.statusCode === "404")
    transaction.fullPath = transaction.fullPath.replace(/(customers|operation)\/[^/]+/, "$1/no-such-id");
  done();
});
