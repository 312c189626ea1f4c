// The plain text of haywire's sample for TechEmpower, with all settings made, in one thread.
#include <stdlib.h>
#include "haywire.h"

static void complete(void *data) {}

static void plaintext(http_request *request, hw_http_response *response, void *data) {
  hw_string status, name, type, body;
  SETSTRING(status, HTTP_STATUS_200);
  hw_set_response_status_code(response, &status);
  SETSTRING(name, "Content-Type");
  SETSTRING(type, "text/plain");
  hw_set_response_header(response, &name, &type);
  SETSTRING(body, "Hello, World!");
  hw_set_body(response, &body);
  hw_http_response_send(response, NULL, complete);
}

int main(int count, char **arguments) {
  configuration config = {
      .http_listen_address = "127.0.0.1",
      .http_listen_port = atoi(arguments[1]),
      .balancer = "ipc",
      .parser = "http_parser",
      .tcp_nodelay = true,
      .max_request_size = 1 << 20,
  };
  hw_init_with_config(&config);
  hw_http_add_route("/plaintext", plaintext, NULL);
  return hw_http_open();
}
