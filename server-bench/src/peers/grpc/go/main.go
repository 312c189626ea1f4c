// grpc-go: PORT cleartext; with a certificate and a key also PORT+1 over TLS.
package main

import (
	"context"
	"io"
	"log"
	"net"
	"os"
	"strconv"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	pb "google.golang.org/grpc/examples/features/proto/echo"
)

type service struct{ pb.UnimplementedEchoServer }

func (service) UnaryEcho(_ context.Context, r *pb.EchoRequest) (*pb.EchoResponse, error) {
	return &pb.EchoResponse{Message: r.Message}, nil
}
func (service) ServerStreamingEcho(r *pb.EchoRequest, s pb.Echo_ServerStreamingEchoServer) error {
	for i := 0; i < 100; i++ {
		if err := s.Send(&pb.EchoResponse{Message: r.Message}); err != nil {
			return err
		}
	}
	return nil
}
func (service) ClientStreamingEcho(s pb.Echo_ClientStreamingEchoServer) error {
	last := ""
	for {
		r, err := s.Recv()
		if err == io.EOF {
			return s.SendAndClose(&pb.EchoResponse{Message: last})
		}
		if err != nil {
			return err
		}
		last = r.Message
	}
}
func (service) BidirectionalStreamingEcho(s pb.Echo_BidirectionalStreamingEchoServer) error {
	for {
		r, err := s.Recv()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := s.Send(&pb.EchoResponse{Message: r.Message}); err != nil {
			return err
		}
	}
}

func serve(port int, o ...grpc.ServerOption) {
	l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port))
	if err != nil {
		log.Fatal(err)
	}
	s := grpc.NewServer(o...)
	pb.RegisterEchoServer(s, service{})
	log.Fatal(s.Serve(l))
}

func main() {
	port, _ := strconv.Atoi(os.Args[1])
	if len(os.Args) > 3 {
		c, err := credentials.NewServerTLSFromFile(os.Args[2], os.Args[3])
		if err != nil {
			log.Fatal(err)
		}
		go serve(port+1, grpc.Creds(c))
	}
	serve(port)
}
