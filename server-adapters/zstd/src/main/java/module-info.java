/** Responses compressed with zstd. */
module dev.peregrine.zstd {
  requires transitive dev.peregrine.web;
  requires com.github.luben.zstd_jni;
  requires static org.jspecify;

  exports dev.peregrine.zstd;
}
