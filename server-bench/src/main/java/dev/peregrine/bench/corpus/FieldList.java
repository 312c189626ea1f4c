package dev.peregrine.bench.corpus;

import java.util.ArrayList;
import java.util.List;

/** The header lists of typical HTTP/2 requests, each with several paths. */
public enum FieldList {
  /** A browser that loads the images of a page. */
  BROWSER(
      """
      :method GET
      :authority www.example.org
      :scheme https
      :path *
      sec-ch-ua-platform "Linux"
      user-agent Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36
      sec-ch-ua "Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"
      sec-ch-ua-mobile ?0
      accept image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8
      sec-fetch-site same-origin
      sec-fetch-mode no-cors
      sec-fetch-dest image
      referer https://www.example.org/products/2291?colour=red
      accept-encoding gzip, deflate, br, zstd
      accept-language en-GB,en-US;q=0.9,en;q=0.8
      cookie session=8f14e45fceea167a5a36dedd4bea2543
      cookie theme=dark
      cookie _ga=GA1.2.1719452312.1762387200
      priority u=2, i
      """,
      "/assets/images/products/%d-large.webp?v=20261104"),

  /** A client of a JSON API with a bearer token. */
  API(
      """
      :method POST
      :scheme https
      :authority api.example.org
      :path *
      user-agent okhttp/4.12.0
      accept application/json
      content-type application/json; charset=utf-8
      content-length 348
      authorization Bearer eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwiZXhwIjoxNzYyMzg3MjAwfQ.NHVaYe26MbtOYhSKkoKYdFVomg4i8ZJd8_-RU8VNbftc4TSMb4bXP3l3YlNWACwyXPGffz5aXHc6lty1Y2t4SWRqGteragsVdZufDn5BlnJl9pdR_kdVFUsra2rWKEofkZeIC4yWytE58sMIihvo9H1ScmmVwBcQP6XETqYd0aSHp1gOa9RdUPDvoXQ5oqygTqVtxaDr6wUFKrKItgBMzWIdNZ6y7O9E0DhEPTbE9rfBo6KTFsHAZnMg4k68CDp2woYIaXbmYTWcvbzIuHO7_37GT79XdIwkm95QJ7hYC9RiwrV7mesbY4PAahERJawntho0my942XheVLmGwLMBkQ
      accept-encoding gzip
      traceparent 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
      """,
      "/v2/customers/81ef2a/orders/%d"),

  /** A call of gRPC. */
  GRPC(
      """
      :scheme http
      :method POST
      :path *
      :authority greeter.default.svc.cluster.local:50051
      te trailers
      content-type application/grpc
      user-agent grpc-java-netty/1.76.0
      grpc-accept-encoding gzip
      grpc-timeout 999821u
      """,
      "/example.greeter.v1.Greeter/SayHello%d");

  private static final int PATHS = 8;
  private static final int FIRST_PATH = 2291;

  private final String lines;
  private final String path;

  FieldList(String lines, String path) {
    this.lines = lines;
    this.path = path;
  }

  /** Returns name and value of each field of each request. */
  List<List<String[]>> requests() {
    var requests = new ArrayList<List<String[]>>();
    for (int i = 0; i < PATHS; i++) {
      String text = lines.replace(":path *", ":path " + path.formatted(FIRST_PATH + i));
      requests.add(text.lines().map(line -> line.split(" ", 2)).toList());
    }
    return requests;
  }
}
