/** Static files, multipart content, compression and filters for handlers. */
module dev.peregrine.web {
  requires transitive dev.peregrine.http;
  requires dev.peregrine.linux;
  requires static org.jspecify;

  exports dev.peregrine.http.coding;
  exports dev.peregrine.http.files;
  exports dev.peregrine.http.filter;
  exports dev.peregrine.http.lines;
  exports dev.peregrine.http.multipart;
}
