// tonic on one thread: PORT cleartext with prior knowledge; with a certificate and a key also PORT+1 over TLS.
use std::pin::Pin;
use tokio_stream::{Stream, StreamExt};
use tonic::{transport::{Identity, Server, ServerTlsConfig}, Request, Response, Status, Streaming};
pub mod pb { tonic::include_proto!("grpc.examples.echo"); }
use pb::{echo_server::{Echo, EchoServer}, EchoRequest, EchoResponse};

#[derive(Clone, Default)]
struct Service;
type Out = Pin<Box<dyn Stream<Item = Result<EchoResponse, Status>> + Send>>;

#[tonic::async_trait]
impl Echo for Service {
    async fn unary_echo(&self, r: Request<EchoRequest>) -> Result<Response<EchoResponse>, Status> {
        Ok(Response::new(EchoResponse { message: r.into_inner().message }))
    }
    type ServerStreamingEchoStream = Out;
    async fn server_streaming_echo(&self, r: Request<EchoRequest>) -> Result<Response<Out>, Status> {
        let m = r.into_inner().message;
        Ok(Response::new(Box::pin(tokio_stream::iter((0..100).map(move |_| Ok(EchoResponse { message: m.clone() }))))))
    }
    async fn client_streaming_echo(&self, r: Request<Streaming<EchoRequest>>) -> Result<Response<EchoResponse>, Status> {
        let mut s = r.into_inner();
        let mut last = String::new();
        while let Some(m) = s.message().await? { last = m.message; }
        Ok(Response::new(EchoResponse { message: last }))
    }
    type BidirectionalStreamingEchoStream = Out;
    async fn bidirectional_streaming_echo(&self, r: Request<Streaming<EchoRequest>>) -> Result<Response<Out>, Status> {
        Ok(Response::new(Box::pin(r.into_inner().map(|m| m.map(|m| EchoResponse { message: m.message })))))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let a: Vec<String> = std::env::args().collect();
    let port: u16 = a[1].parse()?;
    let plain = Server::builder().add_service(EchoServer::new(Service)).serve(([127, 0, 0, 1], port).into());
    if a.len() > 3 {
        let id = Identity::from_pem(std::fs::read(&a[2])?, std::fs::read(&a[3])?);
        let tls = Server::builder().tls_config(ServerTlsConfig::new().identity(id))?.add_service(EchoServer::new(Service)).serve(([127, 0, 0, 1], port + 1).into());
        tokio::try_join!(plain, tls)?;
    } else { plain.await?; }
    Ok(())
}
